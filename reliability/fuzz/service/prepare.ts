import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '../credentials.ts'
import { PERSONAL } from '../dictionary.ts'
import type { Surroundings } from '../input.ts'
import { keptSeeds, vectorTexts } from '../seeds.ts'

const PEOPLE = 12
const LINK = /https?:\/\/[^/\s"]+\/(confirm|refuse|unsubscribe|preferences)\/([\w.-]*\w)/g

/** Makes a few subscriptions, so that there are links and ids to write inputs with. */
export const prepare = async (url: string, dataDir: string, credentials: Credentials): Promise<Surroundings> => {
  const subscriptionIds: string[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const email = `${PERSONAL}-${n}@example.com`
    const answer = await fetch(`${url}/subscribe`, { method: 'POST', body: new URLSearchParams({ email }) })
    const { subscription } = (await answer.json()) as { subscription: { id: number } }
    subscriptionIds.push(String(subscription.id))
  }
  const links = await linksIn(path.join(dataDir, 'mail'))
  const streams = keptSeeds().map(({ bytes }) => Buffer.from(bytes.replaceAll('{admin}', credentials.admin), 'latin1'))
  return { credentials, links, subscriptionIds, texts: vectorTexts(), streams }
}

/** @throws {Error} no mail with a link comes */
const linksIn = async (folder: string): Promise<string[]> => {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100)) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
    if (names.length < PEOPLE) continue
    const mails = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
    const text = mails.join('\n').replace(/=\r?\n/g, '')
    return [...new Set([...text.matchAll(LINK)].map(([, purpose, token]) => `${purpose}/${token}`))]
  }
  throw new Error('no mails with links came')
}
