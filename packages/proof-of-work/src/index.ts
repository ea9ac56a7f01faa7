export { type AltchaOptions, createAltchaAuthority } from './altcha-authority.ts'
