import type { AttackContext, Figure } from '../attack.ts'
import { askOnce } from '../raw.ts'
import { Target } from '../target.ts'

/** Different addresses that one network may name in an hour. */
const MOST_ADDRESSES = 60
const CLIENTS = 200
const AT_ONCE = 20

const hex = (n: number): string => n.toString(16)

/** Clients of one network each, by the address that a proxy reports. */
const NETWORKS: Readonly<Record<string, (n: number) => string>> = {
  'one /24': (n) => `192.0.2.${n}`,
  'one /24, also as IPv6': (n) => (n % 2 ? `198.51.100.${n}` : `::ffff:198.51.100.${n}`),
  'one /24, with ports and made-up hops': (n) => `10.9.8.${n}, 203.0.113.${n}:${1_000 + n}`,
  'one /48': (n) => `2001:db8:1:${hex(n)}::${hex(n)}`,
}

const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** How many different addresses are taken from it. */
const takenFrom = async ({ port }: Target, network: string, clientOf: (n: number) => string): Promise<number> => {
  const numbers = Array.from({ length: CLIENTS }, (_, n) => n + 1).values()
  let taken = 0
  const work = async (): Promise<void> => {
    for (const n of numbers) {
      const body = new URLSearchParams({ email: `${network.replace(/\W+/g, '-')}-${n}@many.example` }).toString()
      const path = n % 4 === 0 ? '/preferences' : '/subscribe'
      const status = await askOnce(port, `POST ${path}`, [FORM, `X-Forwarded-For: ${clientOf(n)}`], body)
      if (status === 200) taken++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return taken
}

/** Many victims instead of one: how many addresses a network can name. */
export const networks = async (context: AttackContext): Promise<readonly Figure[]> => {
  await using target = await Target.open(context, { RATE_LIMIT: '20/1m', TRUST_PROXY: '1' })
  const figures: Figure[] = []
  for (const [network, clientOf] of Object.entries(NETWORKS)) {
    const taken = await takenFrom(target, network, clientOf)
    if (taken === 0) throw new Error(`nothing is taken from ${network}`)
    figures.push({ name: `addresses named from ${network}`, figure: taken, bound: MOST_ADDRESSES, unit: '' })
  }
  return figures
}
