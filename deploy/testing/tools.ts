import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/**
 * What checks the chart, each of one version, from Go's module proxy and PyPI, in a folder of the cache:
 *
 *     npm run check:chart
 *
 * Compiling Helm takes some minutes, with Go 1.26 or later. One that is there is left alone.
 */

const BIN = path.join(import.meta.dirname, '../../node_modules/.cache/deploy/tools')
const VIRTUALENV = path.join(BIN, 'python')

const GO = [
  { name: 'helm', module: 'helm.sh/helm/v4/cmd/helm', version: 'v4.3.1' },
  { name: 'kubeconform', module: 'github.com/yannh/kubeconform/cmd/kubeconform', version: 'v0.8.0' },
  { name: 'kube-score', module: 'github.com/zegl/kube-score/cmd/kube-score', version: 'v1.20.0' },
] as const

const PYTHON = 'kubernetes-validate==1.37.0'

export type ToolName = (typeof GO)[number]['name'] | 'kubernetes-validate'

/** Another version is another file: it is not taken for this one. */
export const toolPath = (name: ToolName): string => {
  const version = GO.find((one) => one.name === name)?.version
  return version === undefined ? path.join(VIRTUALENV, 'bin', name) : path.join(BIN, `${name}-${version}`, name)
}

const install = (): void => {
  for (const { name, module, version } of GO) {
    if (existsSync(toolPath(name))) continue
    const GOBIN = path.dirname(toolPath(name))
    mkdirSync(GOBIN, { recursive: true })
    // One at a time takes a third of the memory.
    execFileSync('go', ['install', '-p=1', `${module}@${version}`], {
      stdio: 'inherit',
      env: { ...process.env, GOBIN },
    })
  }
  if (existsSync(toolPath('kubernetes-validate'))) return
  execFileSync('python3', ['-m', 'venv', VIRTUALENV], { stdio: 'inherit' })
  execFileSync(path.join(VIRTUALENV, 'bin/pip'), ['install', '--quiet', PYTHON], { stdio: 'inherit' })
}

if (import.meta.main) install()
