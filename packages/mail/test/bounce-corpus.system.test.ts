import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createReportParser } from '../src/index.ts'

// Bounces of many mail servers, collected by the makers of Mailman. They are fetched, and not copied: their licence is
// another, and so are their authors.
const CORPUS = 'flufl.bounce==6.0.0'

const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-bounces-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const corpus = (): Map<string, Buffer> => {
  const options = ['--quiet', '--no-deps', '--no-binary', 'flufl.bounce', '--dest', folder]
  execFileSync('python3', ['-m', 'pip', 'download', ...options, CORPUS], { stdio: 'pipe' })
  for (const file of readdirSync(folder)) execFileSync('tar', ['xzf', file], { cwd: folder })
  const data = path.join(folder, 'flufl_bounce-6.0.0', 'tests', 'data')
  const files = readdirSync(data).filter((name) => name.endsWith('.txt'))
  return new Map(files.map((name) => [name.replace('.txt', ''), readFileSync(path.join(data, name))]))
}

// A registry may stall, and pip then tries five times more.
it('reads the reports of many mail servers as others do', async () => {
  const messages = corpus()
  expect(messages.size).toBeGreaterThan(100)
  const found = new Map<string, string>()
  for (const [name, bytes] of messages) {
    const report = await createReportParser().parse(bytes)
    if (report !== undefined) found.set(name, report.kind === 'bounce' ? 'final' : report.kind)
  }
  // Of these, the makers say which are temporary: delays that are not over. Number 15 is a report about another report.
  const reports = Array.from({ length: 18 }, (_, n) => `dsn_${String(n + 1).padStart(2, '0')}`)
  const temporary = ['dsn_05', 'dsn_06', 'dsn_07', 'dsn_08', 'dsn_17']
  for (const name of reports.filter((one) => one !== 'dsn_15'))
    expect([name, found.get(name)]).toEqual([name, temporary.includes(name) ? 'other' : 'final'])
})
