/** What a client asks for. */
export type Deed =
  | { readonly kind: 'subscribe'; readonly name: string }
  | { readonly kind: 'confirm' | 'refuse' | 'unsubscribe' }
  | { readonly kind: 'put-user'; readonly name: string }
  | { readonly kind: 'delete-user'; readonly subscriptions: 'keep' | 'erase' }

export type SubscriptionStatus = 'pending' | 'confirmed' | 'ended'

/** All that there is about one person, as the contract has it and not as the service says. */
export interface Life {
  readonly subscription: { readonly status: SubscriptionStatus; readonly name: string } | undefined
  /** How often a subscription began: links of an earlier time need not work. */
  readonly begun: number
  readonly suppressed: boolean
  readonly user: 'none' | 'deleted' | { readonly name: string }
}

/** One way in which a deed may come out. */
export interface Outcome {
  readonly status: number
  readonly life: Life
}

export const UNKNOWN_PERSON: Life = { subscription: undefined, begun: 0, suppressed: false, user: 'none' }

/** Every way in which the deed may come out. */
export const outcomesOf = (life: Life, deed: Deed): readonly Outcome[] => {
  switch (deed.kind) {
    case 'subscribe':
      return [{ status: 200, life: subscribed(life, deed.name) }]
    case 'confirm':
      return confirmed(life)
    case 'refuse':
      return refused(life)
    case 'unsubscribe':
      return [{ status: 200, life: ended(life) }]
    case 'put-user':
      if (life.user === 'deleted') return [{ status: 410, life }]
      return [{ status: life.user === 'none' ? 201 : 204, life: { ...life, user: { name: deed.name } } }]
    case 'delete-user':
      if (life.user === 'none') return [{ status: 404, life }]
      if (life.user === 'deleted') return [{ status: 410, life }]
      return [{ status: 204, life: deleted(life, deed.subscriptions) }]
  }
}

const subscribed = (life: Life, name: string): Life => {
  if (life.suppressed || life.subscription?.status === 'confirmed') return life
  const begins = life.subscription?.status !== 'pending'
  return { ...life, subscription: { status: 'pending', name }, begun: life.begun + (begins ? 1 : 0) }
}

const confirmed = (life: Life): readonly Outcome[] => {
  const { subscription } = life
  const notValid = { status: 404, life }
  if (subscription === undefined || subscription.status === 'ended') return [notValid]
  const done: Outcome = { status: 200, life: { ...life, subscription: { ...subscription, status: 'confirmed' } } }
  return life.begun > 1 ? [done, notValid] : [done]
}

const refused = (life: Life): readonly Outcome[] => {
  const { subscription, suppressed } = life
  if (subscription === undefined) return [{ status: 404, life }]
  if (subscription.status === 'ended') return [{ status: suppressed ? 200 : 404, life }]
  const done = { status: 200, life: { ...ended(life), suppressed: true } }
  return life.begun > 1 ? [done, { status: 404, life }] : [done]
}

const ended = (life: Life): Life =>
  life.subscription === undefined ? life : { ...life, subscription: { ...life.subscription, status: 'ended' } }

const deleted = (life: Life, subscriptions: 'keep' | 'erase'): Life => ({
  ...life,
  user: 'deleted',
  subscription: subscriptions === 'erase' ? undefined : life.subscription,
})
