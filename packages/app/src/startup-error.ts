/** The service cannot start or go on as it is set up; `message` says what to do. Exit code 4. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly exitCode = 4
}
