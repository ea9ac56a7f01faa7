// Without the fonts of the default theme: those of the reader's device do.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
