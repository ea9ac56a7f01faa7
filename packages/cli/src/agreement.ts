import { CliError, usageError } from './cli-error.ts'
import type { CliIo } from './cli-io.ts'
import { ExitCode } from './exit-code.ts'
import { askForText, askYesOrNo } from './question.ts'
import type { Session } from './session.ts'

/** @throws {CliError} there is nobody to ask */
export const requireSomebody = ({ interactive }: CliIo): void => {
  if (!interactive) throw usageError('There is no terminal to ask on. Add --yes to delete without being asked.')
}

/** @throws {CliError} the answer is no */
export const agree = async ({ io }: Session, question: string): Promise<void> => {
  if (!(await askYesOrNo(io, question))) throw declined()
}

/** @throws {CliError} the number was not typed */
export const agreeToNumber = async ({ io }: Session, number: number, question: string): Promise<void> => {
  const typed = await askForText(io, question)
  if (typed.trim() !== String(number)) throw declined()
}

const declined = (): CliError =>
  new CliError('Nothing was deleted, because it was not confirmed.', {
    name: 'NotConfirmed',
    exitCode: ExitCode.refused,
  })
