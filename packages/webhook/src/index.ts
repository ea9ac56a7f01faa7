export { createWebhookTransport, type WebhookTransportOptions } from './create-webhook-transport.ts'
export { AddressNotAllowed } from './reachable-addresses.ts'
