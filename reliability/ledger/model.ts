/** What a client asks for. */
export type Action =
  | { readonly kind: 'subscribe'; readonly name: string }
  | { readonly kind: 'confirm' | 'refuse' | 'unsubscribe' }
  | { readonly kind: 'put-user'; readonly name: string }
  | { readonly kind: 'suspend-user' | 'resume-user' }
  | { readonly kind: 'delete-user'; readonly subscriptions: 'keep' | 'erase' }
  | { readonly kind: 'revoke-token' }

export type SubscriptionStatus = 'pending' | 'confirmed' | 'ended'

/** Everything about one person, modelled after the contract. */
export interface PersonState {
  readonly subscription: { readonly status: SubscriptionStatus; readonly name: string } | undefined
  /** How often a subscription began: links of an earlier one need not work. */
  readonly begun: number
  readonly suppressed: boolean
  readonly user: 'none' | 'deleted' | { readonly name: string; readonly suspended: boolean }
  /** Whether the access token of this person is refused. */
  readonly revoked: boolean
}

/** A possible result of an action. */
export interface Outcome {
  readonly status: number
  readonly state: PersonState
}

export const UNKNOWN_PERSON: PersonState = {
  subscription: undefined,
  begun: 0,
  suppressed: false,
  user: 'none',
  revoked: false,
}

/** Every possible result of the action. */
export const outcomesOf = (state: PersonState, action: Action): readonly Outcome[] => {
  switch (action.kind) {
    case 'subscribe':
      return [{ status: 200, state: subscribed(state, action.name) }]
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
    case 'revoke-token':
      return [{ status: 204, state: { ...state, revoked: true } }]
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

const confirmed = (state: PersonState): readonly Outcome[] => {
  const { subscription } = state
  const notValid = { status: 404, state }
  if (subscription === undefined || subscription.status === 'ended') return [notValid]
  const done: Outcome = { status: 200, state: { ...state, subscription: { ...subscription, status: 'confirmed' } } }
  return state.begun > 1 ? [done, notValid] : [done]
}

const refused = (state: PersonState): readonly Outcome[] => {
  const { subscription, suppressed } = state
  if (subscription === undefined) return [{ status: 404, state }]
  if (subscription.status === 'ended') return [{ status: suppressed ? 200 : 404, state }]
  const done = { status: 200, state: { ...ended(state), suppressed: true } }
  return state.begun > 1 ? [done, { status: 404, state }] : [done]
}

const ended = (state: PersonState): PersonState =>
  state.subscription === undefined ? state : { ...state, subscription: { ...state.subscription, status: 'ended' } }

const deleted = (state: PersonState, subscriptions: 'keep' | 'erase'): PersonState => ({
  ...state,
  user: 'deleted',
  subscription: subscriptions === 'erase' ? undefined : state.subscription,
})
