/** As `JSON.parse` has them: what a line holds, the test that reads it knows. */
export const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
