import { unexpectedAnswer } from './unexpected-answer.ts'

/** @throws {CliError} it is no JSON; `what` says what came instead */
export const parsedJson = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw unexpectedAnswer(what)
    throw error
  }
}
