import { distinct } from '../load.ts'
import type { Product, Setting } from '../setting.ts'
import { Site } from '../site.ts'

export const EVIDENCE = { confirmed_at: '2026-01-02T03:04:05.678Z', consent: 'A box that was ticked on paper.' }

/** Rows to import: of ten feeds, most are confirmed, every fourth waits, few have ended. */
export function* population(rows: number): Generator<object> {
  for (let number = 0; number < rows; number++) {
    const feed = number % 10 === 0 ? 'default' : `feed-${number % 10}`
    const row = { email: `person.${distinct(number)}@company-${number % 997}.example`, name: 'Brian Smith', feed }
    if (number % 1_000 === 1) yield { ...row, ...EVIDENCE, status: 'ended', ended_at: '2026-02-03T04:05:06.789Z' }
    else yield number % 4 === 3 ? row : { ...row, ...EVIDENCE, status: 'confirmed' }
  }
}

/** A site with so many subscriptions. */
export const filled = async (product: Product, setting: Setting, rows: number): Promise<Site> => {
  const site = await Site.make(product, setting)
  for (let feed = 1; feed < 10; feed++) await site.command('feed', 'put', `feed-${feed}`)
  await site.take('subscription', population(rows))
  return site
}
