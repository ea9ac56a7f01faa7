export { createScim, SCIM_ROUTES, type ScimOptions } from './scim.ts'
