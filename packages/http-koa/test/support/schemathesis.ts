import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../../../..')

/** Where the installation that `HOW_TO_GET_SCHEMATHESIS` names puts it. */
const VIRTUALENV = 'node_modules/.cache/schemathesis'

export const HOW_TO_GET_SCHEMATHESIS = `schemathesis is missing, which compares the OpenAPI document with the service: run \`python3 -m venv ${VIRTUALENV}\` (\`apt-get install python3-venv\`) and \`${VIRTUALENV}/bin/pip install schemathesis==4.32.5\`, or have it on the PATH.`

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The executable file, or undefined if there is none. */
export const findSchemathesis = (): string | undefined =>
  [path.join(ROOT, VIRTUALENV, 'bin'), ...(process.env.PATH ?? '').split(path.delimiter)]
    .map((folder) => path.join(folder, 'schemathesis'))
    .find(isExecutable)

/** For what is generated; which links the stateful phase follows is random all the same. */
const SEED = '1'

interface Run {
  readonly url: string
  /** Sent with every request. */
  readonly token: string
  /** The path of a link in a mail, for each operation that needs one. */
  readonly links: Readonly<Record<string, string>>
  /** Test cases for each operation. */
  readonly examples: number
}

/** Runs all checks in all phases, and answers with the exit status and what was printed. */
export const runSchemathesis = async (
  run: Run,
): Promise<{ readonly status: number | null; readonly output: string }> => {
  const executable = findSchemathesis()
  if (executable === undefined) throw new Error(HOW_TO_GET_SCHEMATHESIS)
  const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-schemathesis-'))
  try {
    const config = path.join(folder, 'schemathesis.toml')
    await writeFile(
      config,
      `${await readFile(path.join(ROOT, 'schemathesis.toml'), 'utf8')}\n${operationsOf(run.links)}`,
    )
    const options = [
      ...['--config-file', config, '--no-color', 'run', `${run.url}/openapi.json`, '--url', run.url],
      ...['--header', `Authorization: Bearer ${run.token}`, '--checks', 'all', '--continue-on-failure', '--no-shrink'],
      ...['--max-examples', String(run.examples), '--seed', SEED, '--workers', '1'],
    ]
    const child = spawn(executable, options, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    return { status, output }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** No answer contains the token of a mailed link, so that the tool could not find it. */
const operationsOf = (links: Run['links']): string =>
  Object.entries(links)
    .map(([pattern, link]) => {
      const token = link.split('/')[2]
      return `[[operations]]\ninclude-path = ${JSON.stringify(pattern)}\nparameters = { "path.token" = ${JSON.stringify(token)} }\n`
    })
    .join('\n')
