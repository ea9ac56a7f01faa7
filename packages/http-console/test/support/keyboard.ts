import type { Page } from 'playwright-core'

const MOST_TABS = 120

// Runs in the page. What a screen reader would say: the label, or what is written on it.
const NAME = `(() => {
  const { activeElement: it } = document
  return (it.ariaLabel ?? it.labels?.[0]?.textContent ?? it.textContent ?? '').replace(/\\s+/g, ' ').trim()
})()`

/** A person who has nothing but a keyboard. */
export class Keyboard {
  readonly #page: Page
  /** Called with each page that was reached. */
  readonly #look: (page: Page) => Promise<void>

  constructor(page: Page, look: (page: Page) => Promise<void> = async () => undefined) {
    this.#page = page
    this.#look = look
  }

  /** Goes on by Tab to what is called so; in the content of the page, unless it is where one goes to other pages. */
  async to(name: string | RegExp): Promise<void> {
    const { keyboard } = this.#page
    for (let times = 0; times < MOST_TABS; times++) {
      await keyboard.press('Tab')
      const found = await this.#page.evaluate<string>(NAME)
      if (typeof name === 'string' ? found === name : name.test(found)) return
      if (found === 'Skip to the content' && name !== found) await keyboard.press('Enter')
    }
    throw new Error(`${this.#page.url()}: ${name} is not reached by Tab.`)
  }

  /** A link or a button that leads to another page. */
  async press(name: string | RegExp): Promise<void> {
    await this.to(name)
    await this.submit()
  }

  /** By Enter, from where it is. */
  async submit(): Promise<void> {
    const loaded = this.#page.waitForEvent('load')
    await this.#page.keyboard.press('Enter')
    await loaded
    await this.#look(this.#page)
  }

  /** A page of the navigation. */
  async go(name: string): Promise<void> {
    for (let times = 0; times < MOST_TABS; times++) {
      await this.#page.keyboard.press('Tab')
      if (await this.#page.evaluate<boolean>(`document.activeElement.matches('nav a') && ${NAME} === '${name}'`))
        return await this.submit()
      // In a narrow window the navigation is behind it.
      if (await this.#page.evaluate<boolean>(`document.activeElement.matches('.menu > summary')`))
        await this.#page.keyboard.press('Enter')
    }
    throw new Error(`${this.#page.url()}: ${name} is not in the navigation.`)
  }

  /** Instead of what is there. */
  async type(name: string, text: string): Promise<void> {
    await this.to(name)
    await this.#page.keyboard.press('ControlOrMeta+a')
    await this.#page.keyboard.insertText(text)
  }

  /** One of a list, by its words. */
  async pick(name: string, words: string): Promise<void> {
    await this.to(name)
    await this.#page.keyboard.type(words)
  }

  async tick(name: string): Promise<void> {
    await this.to(name)
    await this.#page.keyboard.press('Space')
  }

  /** Of radio buttons, the one so many after the one that is chosen. */
  async choose(chosen: string, after: number): Promise<void> {
    await this.to(chosen)
    for (let times = 0; times < after; times++) await this.#page.keyboard.press('ArrowDown')
  }
}
