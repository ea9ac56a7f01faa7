import { type ParseArgsConfig, parseArgs } from 'node:util'
import { runCommand, understood, whole } from '../command.ts'
import { runOutbox } from './run-outbox.ts'

const USAGE = `Usage: npm run check:outbox -- [options]

Lets several workers deliver one outbox on PostgreSQL, each in its own process, and take over the mails of a killed one.
Exits with 3 if a mail was lost, claimed twice or sent twice, or an orphan waited too long.

  --entries <n>  mails (default: 100,000)
  --workers <n>  processes (default: 8)
  --orphans <n>  mails that a killed worker has claimed (default: 100)
  --json         print the figures as JSON
  --help         print this help
`
const OPTIONS = {
  entries: { type: 'string', default: '100000' },
  workers: { type: 'string', default: '8' },
  orphans: { type: 'string', default: '100' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']
const FOUND = 3
/** Seconds until the entries of a killed worker must be delivered. */
const TAKEN_OVER_WITHIN = 60

await runCommand('check:outbox', async (args) => {
  const { help, json, ...values } = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (help) {
    process.stdout.write(USAGE)
    return 0
  }
  const entries = whole('entries', values.entries)
  const workers = whole('workers', values.workers)
  const orphans = whole('orphans', values.orphans)
  const onProgress = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}`)
  }
  const figures = await runOutbox({ entries, workers, orphans, onProgress })
  const { version, delivered, lost, claimedTwice, sentTwice, parked, takenOverIn, rate } = figures
  const good = lost + claimedTwice + sentTwice + parked === 0 && takenOverIn <= TAKEN_OVER_WITHIN
  const lines = [
    `${delivered.toLocaleString('en-US')} mails by ${workers} workers on PostgreSQL ${version}, ${Math.round(rate)} a second`,
    `lost ${lost}, claimed twice ${claimedTwice}, sent twice ${sentTwice}, parked ${parked}`,
    `${orphans} orphans of a killed worker were delivered within ${takenOverIn.toFixed(1)} s (limit: ${TAKEN_OVER_WITHIN})`,
    good ? 'reached' : 'NOT reached',
  ]
  process.stdout.write(json ? `${JSON.stringify(figures)}\n` : `${lines.join('\n')}\n`)
  return good ? 0 : FOUND
})
