import { distinct } from '../traffic.ts'

/** Feeds that the subscriptions are spread over, and one with very few. */
export const FEEDS = ['default', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const
export const RARE_FEED = 'rare'

/** How many of them are in the rare feed, and how many have ended. */
const RARE = 5

const EVIDENCE = { confirmed_at: '2026-01-02T03:04:05.678Z', consent: 'A box that was ticked on paper.' }

/** As many subscriptions as lines of NDJSON, a thousand at a time: most are confirmed, a quarter waits, few have ended. */
export function* population(rows: number): Generator<string> {
  const every = Math.floor(rows / RARE)
  let lines: string[] = []
  for (let number = 0; number < rows; number++) {
    lines.push(JSON.stringify(row(number, number % every)))
    if (lines.length < 1_000 && number + 1 < rows) continue
    yield `${lines.join('\n')}\n`
    lines = []
  }
}

const row = (number: number, phase: number): object => {
  const feed = phase === 1 ? RARE_FEED : FEEDS[number % FEEDS.length]
  const subscription = { email: `grown.${distinct(number)}@example.com`, name: 'Brian Smith', feed }
  if (phase === 2) return { ...subscription, ...EVIDENCE, status: 'ended', ended_at: '2026-02-03T04:05:06.789Z' }
  return number % 4 === 0 ? subscription : { ...subscription, ...EVIDENCE, status: 'confirmed' }
}
