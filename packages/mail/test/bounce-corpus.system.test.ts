import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { judgeFailure } from '@rollcall/core'
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

// The makers say that these tell of no failure, or of one that is not final; beside reports about spam and about other reports.
const NOT_FINAL = [
  ...['simple_03', 'simple_21', 'simple_22', 'simple_28', 'simple_35', 'simple_40', 'simple_42', 'simple_43'],
  ...['dsn_05', 'dsn_06', 'dsn_07', 'dsn_08', 'dsn_15', 'dsn_17', 'dumbass_01', 'bounce_01', 'groupwise_03'],
  ...['qmail_08', 'yahoo_06', 'yahoo_07', 'yahoo_08', 'yahoo_10'],
]

// A registry may stall, and pip then tries five times more.
it('reads the bounces of many mail servers as others do, and loses no reader to what says nothing about them', async () => {
  const messages = corpus()
  expect(messages.size).toBeGreaterThan(100)
  const found = new Map<string, string | undefined>()
  for (const [name, bytes] of messages) {
    const report = await createReportParser().parse(bytes)
    found.set(name, report?.kind === 'bounce' ? judgeFailure(report.failure).meaning : report?.kind)
  }
  for (const name of NOT_FINAL) expect([name, found.get(name)]).not.toEqual([name, 'permanent'])
  const reports = Array.from({ length: 18 }, (_, n) => `dsn_${String(n + 1).padStart(2, '0')}`)
  // A report that gave up on a server that was away says nothing about the address.
  const others = new Map([
    ['dsn_02', undefined],
    // A mail that was too long.
    ['dsn_03', undefined],
    // Given up for a reason that is not said, or not known.
    ['dsn_09', undefined],
    ['dsn_18', undefined],
    // A disk that was full.
    ['dsn_01', 'temporary'],
    ['dsn_04', 'temporary'],
  ])
  for (const name of reports.filter((one) => !NOT_FINAL.includes(one)))
    expect([name, found.get(name)]).toEqual([name, others.has(name) ? others.get(name) : 'permanent'])
  // In plain words, of the same server in several versions.
  for (const name of ['exim_01', 'postfix_01', 'qmail_03', 'qmail_04', 'qmail_05', 'yahoo_11', 'yahoo_13'])
    expect([name, found.get(name)]).toEqual([name, 'permanent'])
})
