import { HtmlValidate } from 'html-validate/node'

const validator = new HtmlValidate({ root: true, extends: ['html-validate:recommended'] })

/** What is wrong with a page: the rule, what it says, and the piece that it says it of. */
export const htmlProblems = async (text: string): Promise<readonly string[]> => {
  const lines = text.split('\n')
  const { results } = await validator.validateString(text)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}: ${message}: ${lines[line - 1]?.slice(0, 300)}`),
  )
}
