export { createScim, type ScimOptions } from './scim.ts'
