import { type Answer, fieldOf, NotAnAnswer } from './answer.ts'
import { AnswerReader } from './answer-reader.ts'

const BEGIN = Buffer.from('HTTP/1.1 ')

export interface FoundAnswer {
  readonly answer: Answer
  /** Whether it has no body because it answers HEAD. */
  readonly isBare: boolean
}

/**
 * The answers in all that came over a connection, whatever they answer. An answer whose body should come, and where the
 * next answer comes instead, or nothing, is one to HEAD.
 * @throws {NotAnAnswer} there is something else
 */
export const answersIn = (bytes: Buffer): FoundAnswer[] => {
  const answers: FoundAnswer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) throw new NotAnAnswer('the head has no end')
    const after = rest.subarray(headEnd + 4)
    const isBare = after.length === 0 || after.subarray(0, BEGIN.length).equals(BEGIN)
    const reader = new AnswerReader()
    reader.push(rest)
    const answer = reader.next(isBare ? 'HEAD' : 'GET', true)
    if (answer === undefined) throw new NotAnAnswer('it breaks off')
    if (answer.status >= 200) answers.push({ answer, isBare: isBare && fieldOf(answer, 'content-length') !== '0' })
    rest = reader.rest
  }
  return answers
}
