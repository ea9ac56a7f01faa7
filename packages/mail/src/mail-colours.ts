import { legibleOn, textOn } from '@rollcall/platform-node'

/** The colours of a mail, each as `#rrggbb`. */
export interface MailColours {
  /** Behind the card, and the card. */
  readonly ground: string
  readonly surface: string
  readonly line: string
  readonly text: string
  readonly quiet: string
  /** Buttons and, if a feed has no accent of its own, links; and the text on buttons. */
  readonly accent: string
  readonly onAccent: string
}

/** What a deployer changes about them, for light and for dark. */
export interface MailTheme {
  readonly light: Partial<MailColours>
  readonly dark: Partial<MailColours>
}

const LIGHT: MailColours = {
  ground: '#f2f4f7',
  surface: '#ffffff',
  line: '#c3cad5',
  text: '#1c2430',
  quiet: '#5b6472',
  accent: '#1a56b0',
  onAccent: '#ffffff',
}

const DARK: MailColours = {
  ground: '#15181d',
  surface: '#20252c',
  line: '#5b6472',
  text: '#e8eaed',
  quiet: '#aab2bd',
  accent: '#8ab4f8',
  onAccent: '#0b1d2d',
}

/** With what follows from them: the colour of links and other text in the accent. */
type WithLink = MailColours & { readonly link: string }

export type AllColours = WithLink & { readonly dark: WithLink }

const withLink = (colours: MailColours): WithLink => ({ ...colours, link: colours.accent })

/** As templates have them. */
export const coloursOf = ({ light, dark }: MailTheme = { light: {}, dark: {} }): AllColours => ({
  ...withLink({ ...LIGHT, ...light }),
  dark: withLink({ ...DARK, ...dark }),
})

/** The same with the accent of a feed: text on it, and text in it, stays legible. */
export const accented = (colours: AllColours, accent: string | undefined): AllColours => {
  if (accent === undefined) return colours
  const on = (ground: WithLink): WithLink => ({
    ...ground,
    accent,
    onAccent: textOn(accent),
    link: legibleOn(accent, ground.surface),
  })
  return { ...on(colours), dark: on(colours.dark) }
}
