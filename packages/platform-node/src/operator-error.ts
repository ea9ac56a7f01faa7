export interface OperatorErrorOptions extends ErrorOptions {
  /** The option that the error is about, by its name in the package that throws; the application has its own. */
  readonly setting?: string | undefined
}

/**
 * An operator must fix something before the work can go on: a setting, a file, a database. `message` says what is wrong
 * and what to do, and holds no secret. The command line ends with exit code 4.
 */
export abstract class OperatorError extends Error {
  /** PascalCase and stable: the `error` of an error body. */
  abstract override readonly name: string
  readonly setting: string | undefined

  constructor(message: string, { setting, ...options }: OperatorErrorOptions = {}) {
    super(message, options)
    this.setting = setting
  }
}
