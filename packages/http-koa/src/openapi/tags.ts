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
