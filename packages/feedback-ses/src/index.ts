export { createSesVerifier, type SesVerifierOptions } from './create-ses-verifier.ts'
