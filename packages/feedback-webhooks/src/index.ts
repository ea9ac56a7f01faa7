export { createPostmarkVerifier } from './postmark.ts'
export { createSendgridVerifier, sendgridKey } from './sendgrid.ts'
