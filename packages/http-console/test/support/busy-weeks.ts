import { DAY, operator } from '@rollcall/core'
import type { OpenConsole } from './open-console.ts'

const OPS = operator('ops')
const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Zoë Müller-Lüdenscheidt', 'Katherine Johnson', 'José García', 'Bo']
const DOMAINS = ['example.com', 'a-rather-long-domain-name.example.org']

/** Weeks in which readers joined two feeds, and some left: always the same ones. */
export const busyWeeks = async ({ useCases, clock }: OpenConsole): Promise<void> => {
  await useCases.putFeed.execute({ name: 'weekly', title: 'The weekly letter' }, OPS)
  let n = 0
  for (let day = 0; day < 50; day++) {
    clock.advance(DAY)
    for (let times = (day * 7) % 5; times > 0; times--) {
      const name = NAMES[n % NAMES.length] ?? ''
      const local = name
        .normalize('NFD')
        .replaceAll(/[^A-Za-z ]/g, '')
        .replaceAll(' ', '.')
        .toLowerCase()
      const email = `${local}.${n}@${DOMAINS[n % DOMAINS.length]}`
      const feed = n % 3 === 0 ? 'default' : 'weekly'
      const { id } = await useCases.subscribe.execute({ email, name, feed, source: SOURCE })
      await useCases.deliverOutbox.execute({ limit: 10 })
      const subscriptionId = String(id)
      if (n % 4 > 0) await useCases.confirmOnBehalf.execute({ subscriptionId, reason: 'on paper' }, OPS)
      if (n % 13 === 1) await useCases.endOnBehalf.execute({ subscriptionId, reason: 'by letter' }, OPS)
      n++
    }
  }
  await useCases.sealer.beat()
}
