// npm run check:outbox -- [--entries 100000] [--workers 8] [--orphans 100]
import { parseArgs } from 'node:util'
import { runOutbox } from './run-outbox.ts'

/** Seconds, of what a killed worker held. */
const LONGEST_ORPHANHOOD = 60

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '100000' },
    workers: { type: 'string', default: '8' },
    orphans: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
})
const [entries, workers, orphans] = [Number(values.entries), Number(values.workers), Number(values.orphans)]
const onProgress = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}`)
}
const figures = await runOutbox({ entries, workers, orphans, onProgress })
const { version, delivered, lost, claimedTwice, sentTwice, parked, takenOverIn, rate } = figures
const good = lost + claimedTwice + sentTwice + parked === 0 && takenOverIn <= LONGEST_ORPHANHOOD
if (values.json) process.stdout.write(`${JSON.stringify(figures)}\n`)
else
  process.stdout.write(
    `${[
      `${delivered.toLocaleString('en-US')} mails by ${workers} workers on PostgreSQL ${version}, ${Math.round(rate)} a second`,
      `lost ${lost}, claimed twice ${claimedTwice}, sent twice ${sentTwice}, parked ${parked}`,
      `${orphans} that a killed worker held were delivered within ${takenOverIn.toFixed(1)} s (wanted: ${LONGEST_ORPHANHOOD})`,
      good ? 'reached' : 'NOT reached',
    ].join('\n')}\n`,
  )
process.exitCode = good ? 0 : 1
