export type Action =
  | { readonly kind: 'subscribe' | 'subscribe-to-feeds'; readonly name: string }
  | { readonly kind: 'confirm' | 'refuse' | 'unsubscribe' }
  | { readonly kind: 'put-user'; readonly name: string }
  | { readonly kind: 'suspend-user' | 'resume-user' }
  | { readonly kind: 'delete-user'; readonly subscriptions: 'keep' | 'erase' }
  | { readonly kind: 'bounce' | 'ask-to-move' | 'move' | 'undo' }

interface SubscriptionState {
  readonly status: 'pending' | 'confirmed' | 'ended'
  readonly name: string
}

/** Everything about one person, modelled after the contract. */
export interface PersonState {
  readonly subscription: SubscriptionState | undefined
  /** To the second feed, of a form that asked for both. */
  readonly second: SubscriptionState | undefined
  /** At the new address, once the person has moved there. */
  readonly moved: SubscriptionState | undefined
  /** Whether mails to the address come back. */
  readonly undeliverable: boolean
  /** How often a subscription began: links of an earlier one need not work. */
  readonly begun: number
  readonly suppressed: boolean
  readonly user: 'none' | 'deleted' | { readonly name: string; readonly suspended: boolean }
}

interface Outcome {
  readonly status: number
  readonly state: PersonState
}

export const UNKNOWN_PERSON: PersonState = {
  subscription: undefined,
  second: undefined,
  moved: undefined,
  undeliverable: false,
  begun: 0,
  suppressed: false,
  user: 'none',
}

export const outcomesOf = (state: PersonState, action: Action): readonly Outcome[] => {
  switch (action.kind) {
    case 'subscribe':
      return [{ status: 200, state: subscribed(state, action.name) }]
    case 'subscribe-to-feeds':
      return [{ status: 200, state: subscribedToBoth(state, action.name) }]
    case 'confirm':
      return confirmed(state)
    case 'refuse':
      return refused(state)
    case 'unsubscribe':
      return [{ status: 200, state: ended(state) }]
    case 'put-user':
      if (state.user === 'deleted') return [{ status: 410, state }]
      return [put(state, action.name)]
    case 'suspend-user':
    case 'resume-user':
      if (state.user === 'none') return [{ status: 404, state }]
      if (state.user === 'deleted') return [{ status: 410, state }]
      return [{ status: 200, state: { ...state, user: { ...state.user, suspended: action.kind === 'suspend-user' } } }]
    case 'delete-user':
      if (state.user === 'none') return [{ status: 404, state }]
      if (state.user === 'deleted') return [{ status: 410, state }]
      return [{ status: 204, state: deleted(state, action.subscriptions) }]
    case 'bounce':
      return [{ status: 204, state: state.subscription === undefined ? state : { ...state, undeliverable: true } }]
    case 'ask-to-move':
      // Asked by a link from a mail to the address.
      return [{ status: 200, state: { ...state, undeliverable: false } }]
    case 'move':
      return movedOn(state)
    case 'undo':
      return movedBack(state)
  }
}

const put = (state: PersonState, name: string): Outcome => {
  const known = typeof state.user === 'object'
  const suspended = typeof state.user === 'object' && state.user.suspended
  return { status: known ? 204 : 201, state: { ...state, user: { name, suspended } } }
}

const subscribed = (state: PersonState, name: string): PersonState => {
  if (state.suppressed || state.subscription?.status === 'confirmed') return state
  const begins = state.subscription?.status !== 'pending'
  return { ...state, subscription: { status: 'pending', name }, begun: state.begun + (begins ? 1 : 0) }
}

const subscribedToBoth = (state: PersonState, name: string): PersonState => {
  const second = state.suppressed || state.second?.status === 'confirmed' ? state.second : pending(name)
  return { ...subscribed(state, name), second }
}

const pending = (name: string): SubscriptionState => ({ status: 'pending', name })

/** The new one is confirmed and the old one has ended: both, or neither. */
const movedOn = (state: PersonState): readonly Outcome[] => {
  const { subscription, moved } = state
  if (moved) return [{ status: moved.status === 'confirmed' ? 200 : 404, state }]
  if (subscription?.status !== 'confirmed') return [{ status: 404, state }]
  return [{ status: 200, state: { ...ended(state), moved: subscription } }]
}

const movedBack = (state: PersonState): readonly Outcome[] => {
  const { subscription, moved } = state
  if (subscription === undefined || moved === undefined) return [{ status: 404, state }]
  const back: PersonState = {
    ...state,
    subscription: { ...subscription, status: 'confirmed' },
    moved: { ...moved, status: 'ended' },
  }
  return [{ status: 200, state: back }]
}

const confirmed = (state: PersonState): readonly Outcome[] => {
  const { subscription, second } = state
  const notValid = { status: 404, state }
  if (subscription === undefined || subscription.status === 'ended') return [notValid]
  const done: Outcome = {
    status: 200,
    state: {
      ...state,
      subscription: { ...subscription, status: 'confirmed' },
      second: second && { ...second, status: 'confirmed' },
      undeliverable: false,
    },
  }
  return state.begun > 1 ? [done, notValid] : [done]
}

const refused = (state: PersonState): readonly Outcome[] => {
  const { subscription, suppressed } = state
  if (subscription === undefined) return [{ status: 404, state }]
  if (subscription.status === 'ended') return [{ status: suppressed ? 200 : 404, state }]
  const second = state.second && { ...state.second, status: 'ended' as const }
  const done = { status: 200, state: { ...ended(state), second, suppressed: true } }
  return state.begun > 1 ? [done, { status: 404, state }] : [done]
}

const ended = (state: PersonState): PersonState =>
  state.subscription === undefined ? state : { ...state, subscription: { ...state.subscription, status: 'ended' } }

const NOTHING = { subscription: undefined, second: undefined, moved: undefined, undeliverable: false } as const

const deleted = (state: PersonState, subscriptions: 'keep' | 'erase'): PersonState => ({
  ...state,
  user: 'deleted',
  ...(subscriptions === 'erase' ? NOTHING : {}),
})
