import type { MovePurpose } from '../src/index.ts'
import { deliver, lastMailOf, mailsOf, type Service, SOURCE } from './cast.ts'
import { EMAIL, linkOf, withThree } from './preferences.ts'

export const NEW = 'Ada.New@example.org'

export const askToMove = ({ useCases }: Service, token: string, email = NEW) =>
  useCases.requestMove.execute({ token, email })

export const showMove = ({ useCases }: Service, token: string, purpose: MovePurpose = 'move') =>
  useCases.showMove.execute({ purpose, token })

export const carryOut = ({ useCases }: Service, token: string) =>
  useCases.carryOutMove.execute({ token, source: { ...SOURCE, via: 'link' } })

export const undo = ({ useCases }: Service, token: string) =>
  useCases.undoMove.execute({ token, source: { ...SOURCE, via: 'link' } })

/** The token in the last mail of this kind. */
export const tokenOf = (at: Service, purpose: MovePurpose): string => {
  const link = mailsOf(at).findLast(({ links }) => links[purpose] !== undefined)?.links[purpose]
  if (link === undefined) throw new Error(`No mail has a link to ${purpose}.`)
  return link.slice(link.lastIndexOf('/') + 1)
}

/** An address with three subscriptions, one of them confirmed; the mail to the new address is sent. */
export const withRequest = async (email = NEW) => {
  const { at, ids } = await withThree()
  const preferences = await linkOf(at)
  await askToMove(at, preferences, email)
  await deliver(at)
  return { at, ids, preferences, mail: lastMailOf(at), token: tokenOf(at, 'move') }
}

/** The same once it is carried out, and the old address has its mail. */
export const withMove = async () => {
  const request = await withRequest()
  await carryOut(request.at, request.token)
  await deliver(request.at)
  const found = await subscriptionsOf(request.at, NEW)
  return { ...request, made: found.default?.id ?? 0, undoToken: tokenOf(request.at, 'undo') }
}

/** By feed. */
export const subscriptionsOf = async ({ useCases }: Service, email = EMAIL) => {
  const admin = { id: 'root', roles: ['admin'], roleSource: 'token', channel: 'http' } as const
  const { items } = await useCases.listSubscriptions.execute({ email }, admin)
  return Object.fromEntries(items.map((one) => [one.feed, one]))
}
