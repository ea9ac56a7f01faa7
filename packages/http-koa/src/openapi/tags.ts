/** The groups of operations. */
export const TAGS = [
  { name: 'Sign-up', description: 'Subscribing, confirming, refusing and unsubscribing.' },
  { name: 'Preferences', description: 'What the owner of an address sees and changes.' },
  { name: 'Users', description: 'Accounts, and their permanent deletion.' },
  { name: 'Feeds', description: 'What one can subscribe to.' },
  { name: 'Subscriptions', description: 'Who is subscribed to what, and the evidence of consent.' },
  { name: 'Suppressions', description: 'Addresses that get no sign-up mail.' },
  { name: 'Feedback', description: 'What came back of mails, and where none can be delivered.' },
  { name: 'Numbers', description: 'How many signed up, confirmed and left.' },
  { name: 'Events', description: 'What happened, and the webhooks that are sent it.' },
  { name: 'Tokens', description: 'Access tokens that this service issued, and revoking any.' },
  { name: 'Audit', description: 'Which caller did what, and when.' },
  { name: 'Service', description: 'Health, keys and this document.' },
] as const

interface Group {
  readonly tag: (typeof TAGS)[number]['name']
  /** Whether answers, errors included, are pages for clients that prefer HTML. */
  readonly orPage: boolean
}

const GROUPS: Readonly<Record<string, Group>> = {
  subscribe: { tag: 'Sign-up', orPage: true },
  challenge: { tag: 'Sign-up', orPage: false },
  'challenge.js': { tag: 'Sign-up', orPage: false },
  confirm: { tag: 'Sign-up', orPage: true },
  refuse: { tag: 'Sign-up', orPage: true },
  unsubscribe: { tag: 'Sign-up', orPage: true },
  preferences: { tag: 'Preferences', orPage: true },
  manage: { tag: 'Preferences', orPage: true },
  move: { tag: 'Preferences', orPage: true },
  undo: { tag: 'Preferences', orPage: true },
  users: { tag: 'Users', orPage: false },
  bulk: { tag: 'Users', orPage: false },
  feeds: { tag: 'Feeds', orPage: false },
  subscriptions: { tag: 'Subscriptions', orPage: false },
  suppressions: { tag: 'Suppressions', orPage: false },
  feedback: { tag: 'Feedback', orPage: false },
  undeliverable: { tag: 'Feedback', orPage: false },
  stats: { tag: 'Numbers', orPage: false },
  events: { tag: 'Events', orPage: false },
  webhooks: { tag: 'Events', orPage: false },
  tokens: { tag: 'Tokens', orPage: false },
  audit: { tag: 'Audit', orPage: false },
}

const SERVICE: Group = { tag: 'Service', orPage: false }

/** By the first segment of the path. */
export const groupOf = (path: string): Group => GROUPS[path.split('/')[1] ?? ''] ?? SERVICE
