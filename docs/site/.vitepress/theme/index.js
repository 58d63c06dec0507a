import DefaultTheme from 'vitepress/theme'
import './matrix.css'
import './style.css'

export default DefaultTheme
