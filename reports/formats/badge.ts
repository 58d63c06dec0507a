import type { Report, Stop } from '../../spec/model/report.js'
import { stopsOf } from '../model/stop-cause.js'
import { BADGE_LABEL, type BadgeWords, badgeWords } from './shared/badge-words.js'
import { xmlText } from './shared/escape.js'

interface BadgeLook {
  readonly mark: string
  readonly fill: string
}

// Each fill has a contrast of more than 4.5 to white.
const LOOKS: Readonly<Record<BadgeWords['look'], BadgeLook>> = {
  good: { mark: '✓', fill: '#17663a' },
  bad: { mark: '✗', fill: '#a61b1b' },
  part: { mark: '✓', fill: '#1f5fa8' },
  open: { mark: '?', fill: '#6b3fa0' },
}

const CAUSES = {
  ...{ signal: 'A signal ended the run', maxDuration: 'Its time was over', bail: 'It ended at a failure' },
  memory: 'There was not enough memory',
  unreachable: 'A service cannot be reached',
  unreadable: 'Answers were no readable HTTP',
  timeOut: 'Requests timed out',
  stoppedAnswering: 'A service stopped answering',
  notStarted: 'The service did not start',
  refused: 'The run did not start',
} as const satisfies Readonly<Record<Stop['cause'], string>>
/** Pixels: of a letter at 11 px, generously, since the fonts of readers differ; `textLength` then makes it fit. */
const LETTER = 6.6
const MARGIN = 8

/** A badge for a README: the verdict and the number of rules that passed. Nothing in it comes from the target. */
export function renderBadge(report: Report): string {
  const { look, label, stated, judged, passed } = badgeWords(report)
  const sentence = `${label}: ${stated}, ${passed} of ${judged} judged rules passed`
  const stops = stopsOf(report).map(({ cause, remedy }) => `${CAUSES[cause]}. ${remedy}`)
  return badge({
    look,
    label,
    words: `${stated}, ${passed}/${judged}`,
    title: [sentence, ...stops].join('. '),
  })
}

/** In place of the badge of a report that cannot be read, as where its run was killed. */
export function renderUnreadBadge(): string {
  return badge({
    look: 'open',
    label: BADGE_LABEL,
    words: 'unread',
    title: `${BADGE_LABEL}: the newest report cannot be read`,
  })
}

interface Badge extends Pick<BadgeWords, 'look' | 'label'> {
  readonly words: string
  readonly title: string
}

function badge({ look, label, words, title }: Badge): string {
  const { mark, fill } = LOOKS[look]
  const text = `${mark} ${words}`
  const [left, right] = [widthOf(label), widthOf(text)]
  const shownTitle = xmlText(title)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${shownTitle}">
  <title>${shownTitle}</title>
  <rect width="${left}" height="20" fill="#444"/>
  <rect x="${left}" width="${right}" height="20" fill="${fill}"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
    <text x="${MARGIN}" y="14" textLength="${left - 2 * MARGIN}">${label}</text>
    <text x="${left + MARGIN}" y="14" textLength="${right - 2 * MARGIN}">${xmlText(text)}</text>
  </g>
</svg>
`
}

function widthOf(text: string): number {
  return Math.round(text.length * LETTER) + 2 * MARGIN
}
