import type { Random } from '../../../proving/shared/random.ts'
import { NAUGHTY, PERSONAL } from '../dictionary.ts'
import type { Surroundings } from '../input.ts'
import { mutatedText } from '../mutate.ts'

/** Few, so that the store stays small and most persons are met again in another state. */
const PEOPLE = 3_000
const NAMES = 30

const DOMAINS = [
  'example.com',
  'EXAMPLE.com',
  'bücher.example',
  'xn--bcher-kva.example',
  'xn--a',
  'a.b.c.d.example',
  'localhost',
  `${'a'.repeat(64)}.example`,
  `${'b.'.repeat(120)}example`,
  'faß.example',
  '１２７.0.0.1',
  '[127.0.0.1]',
  'a..b',
  '-a.example',
  'example.com.',
] as const

export const anyText = (random: Random, { texts }: Surroundings): string => {
  const text = (random.oneIn(2) ? random.pickIfAny(texts) : undefined) ?? random.pick(NAUGHTY)
  return random.oneIn(4) ? mutatedText(random, text) : text
}

export const anyAddress = (random: Random, around: Surroundings): string => {
  if (random.oneIn(8)) return anyText(random, around)
  const address = `${PERSONAL}-${random.below(PEOPLE)}@${random.oneIn(3) ? random.pick(DOMAINS) : 'example.com'}`
  return random.oneIn(6) ? mutatedText(random, address) : address
}

export const anyName = (random: Random, around: Surroundings): string =>
  random.oneIn(2) ? `${PERSONAL} ${anyText(random, around)}` : anyText(random, around)

export const anyFeed = (random: Random, around: Surroundings): string =>
  random.oneIn(5) ? anyText(random, around) : random.pick(['default', 'news', `feed-${random.below(NAMES)}`])

export const anyUser = (random: Random, around: Surroundings): string =>
  random.oneIn(6) ? anyText(random, around) : `user-${random.below(NAMES * 10)}`

export const anySubscription = (random: Random, around: Surroundings): string =>
  (random.oneIn(4) ? undefined : random.pickIfAny(around.subscriptionIds)) ?? anyText(random, around)

export const anyLink = (random: Random, { links }: Surroundings): string =>
  (random.pickIfAny(links) ?? 'confirm/1.0').split('/')[1] ?? ''

export const anyTime = (random: Random, around: Surroundings): string =>
  random.oneIn(3) ? anyText(random, around) : new Date(random.below(2 ** 32) * 1000).toISOString()
