/** The value that was there first, be it another's: what must stay the same for as long as there is the database. */
export const settleBy =
  (recall: (name: string) => Promise<string | undefined>, insert: (name: string, value: string) => Promise<unknown>) =>
  async (name: string, value: string): Promise<string> => {
    const known = await recall(name)
    if (known !== undefined) return known
    await insert(name, value)
    return (await recall(name)) ?? value
  }
