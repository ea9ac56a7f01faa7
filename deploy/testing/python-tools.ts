import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const VIRTUALENV = 'node_modules/.cache/deploy/python'
const REQUIREMENTS = 'deploy/testing/requirements.txt'
const CHECK_SBOM = path.join(import.meta.dirname, 'check-sbom.py')

const programPath = (name: string): string => path.join(ROOT, VIRTUALENV, 'bin', name)

/** What installs them, if they are not there. */
export const howToGetPythonTools = (): string | undefined =>
  existsSync(programPath('hadolint'))
    ? undefined
    : `hadolint and the rules of CycloneDX are missing, which check what is said about the image: run \`python3 -m venv ${VIRTUALENV}\` (\`apt-get install python3-venv\`) and \`${VIRTUALENV}/bin/pip install --requirement ${REQUIREMENTS}\`.`

/** What the program has to say about the text; nothing where it is content. */
const faultsBy = (program: string, args: readonly string[], text: string): string => {
  const { status, stdout, stderr, error } = spawnSync(programPath(program), args, { input: text, encoding: 'utf8' })
  if (error !== undefined) throw new Error(howToGetPythonTools(), { cause: error })
  const said = `${stdout}${stderr}`
  if (status !== 0 && said === '') throw new Error(`${program} ended with ${status}, and said nothing.`)
  return said
}

/** By hadolint. */
export const faultsOfContainerfile = (text: string): string => faultsBy('hadolint', ['--no-color', '-'], text)

/** By the schemas of CycloneDX 1.5 and the licences of SPDX. */
export const faultsOfSbom = (text: string): string => faultsBy('python', [CHECK_SBOM], text).trim()
