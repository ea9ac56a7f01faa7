import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const TOOLS = path.join(import.meta.dirname, '../../../../tools')
const COMMANDS = path.join(TOOLS, 'api-lint/node_modules/.bin')

/** What is printed, whatever the exit status: that is 1 if there are findings. */
const run = (folder: string, command: string, ...options: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    execFile(
      process.execPath,
      [path.join(COMMANDS, command), 'lint', 'openapi.json', ...options],
      { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error !== null && error.code !== 1) reject(new Error(`${command} failed: ${stderr}`, { cause: error }))
        else resolve(stdout)
      },
    )
  })

/** Which recommended rules of Redocly and of Spectral the document breaks; once for each place. */
export const lintFindings = async (document: string): Promise<readonly string[]> => {
  execFileSync(process.execPath, [path.join(TOOLS, 'install.cjs'), 'tools/api-lint'], { stdio: 'inherit' })
  const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-lint-'))
  try {
    await writeFile(path.join(folder, 'openapi.json'), document)
    await writeFile(path.join(folder, 'rules.json'), JSON.stringify({ extends: ['spectral:oas'] }))
    const redocly = await run(folder, 'redocly', '--extends', 'recommended', '--format', 'json')
    const spectral = await run(folder, 'spectral', '--ruleset', 'rules.json', '--format', 'json', '--quiet')
    return [
      ...(JSON.parse(redocly) as { problems: { ruleId: string }[] }).problems.map(({ ruleId }) => ruleId),
      ...(JSON.parse(spectral) as { code: string }[]).map(({ code }) => code),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
