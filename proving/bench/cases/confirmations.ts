import { setTimeout as sleep } from 'node:timers/promises'
import { distinct, type Traffic } from '../load.ts'
import { turnsOn } from '../measure-site.ts'
import { mailsTo, openReceiver } from '../receivers.ts'
import type { Setting } from '../setting.ts'
import { Site } from '../site.ts'
import type { BenchCase } from './bench-case.ts'
import { addresses, signUps } from './sign-ups.ts'

/** For each second of load. */
const STOCK = 5_000
const POLL = 500

/** The addresses by the links in their mails, of subscriptions that were imported. */
const linksOf = async (site: Site, { seconds, warmup }: Setting): Promise<Map<string, string>> => {
  const stock = STOCK * (seconds + warmup)
  await using relay = await openReceiver({ kind: 'relay', readsLinks: true })
  const rows = Array.from({ length: stock }, (_, number) => ({ email: `brian.${distinct(number)}@example.com` }))
  await site.take('subscription', rows, '--mail', 'send')
  await using server = await site.start(mailsTo(relay), 'any')
  const links = new Map<string, string>()
  while (links.size < stock) {
    await sleep(POLL)
    for (const { to, token } of (await relay.look()).links) links.set(token, to)
  }
  await server.stop('SIGTERM')
  return links
}

/** A press of the button behind each link, by the tokens of these. */
export const confirmations = (names: Traffic['names']): Traffic => ({
  ...signUps,
  path: (token) => `/confirm/${token}`,
  body: () => 'a=b',
  names,
})

export const confirm: BenchCase = {
  name: 'confirm',
  about: 'POST /confirm/{token}, another link each time, as they come in mails',
  bars: ['answers/s >= 500', 'p99 ms <= 250'],
  prepare: async (product, setting) => {
    const origin = await Site.make(product, setting)
    const links = await linksOf(origin, setting)
    const traffic = confirmations([...links.keys()])
    const done = async (site: Site) => {
      const confirmed = await addresses(site, '--status', 'confirmed')
      return new Set([...links].filter(([, address]) => confirmed.has(address)).map(([token]) => token))
    }
    return turnsOn(origin, { traffic, done })
  },
}
