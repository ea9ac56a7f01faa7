import type { Guarded } from '../access/access-control.ts'

/** Naming the visitor whose form a site's own server passes on. */
export const FORM_RELAY = {
  permission: 'subscriptions:request',
  action: 'subscription.request',
} as const satisfies Guarded
