import { CliError } from '../cli-error.ts'
import { ExitCode } from '../exit-code.ts'

/** What is deleted stays deleted, whatever becomes of the question what went with it. */
export const receiptMissing = (userId: string, cause: unknown): CliError => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new CliError(`User ${userId} is deleted, but the receipt could not be read. ${why}`, {
    name: cause instanceof Error ? cause.name : 'ReceiptMissing',
    exitCode: cause instanceof CliError ? cause.exitCode : ExitCode.unusable,
    cause,
  })
}
