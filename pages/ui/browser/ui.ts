/**
 * The script of the page. It sends forms, shows parts as the command renders them, and keeps what a person types, opens and
 * looks at while it does. Everything that it puts into the page was rendered, and escaped, by the command.
 */
import './ui.css'
import { addCopyButtons } from '../../../reports/formats/html/browser/copy.js'
import { say } from './dom.js'
import { followEvents } from './events.js'
import { sendForms } from './forms.js'
import { followLinks } from './links.js'

sendForms()
followLinks()
addCopyButtons(say)
document.documentElement.classList.add('scripted')
followEvents()
