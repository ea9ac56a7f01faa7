/** The deployer's folder of pages is not valid; `message` names the file and says what to correct. */
export class PagesNotUsable extends Error {
  override readonly name = 'PagesNotUsable'
}
