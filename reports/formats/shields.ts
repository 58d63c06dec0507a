import type { Report } from '../../spec/model/report.js'
import { jsonText } from './json.js'
import { type BadgeWords, badgeWords } from './shared/badge-words.js'

const COLORS: Readonly<Record<BadgeWords['look'], string>> = {
  good: 'brightgreen',
  bad: 'red',
  part: 'blue',
  open: 'lightgrey',
}

/**
 * The JSON that shields.io makes a badge of (`https://img.shields.io/endpoint?url=…`). Nothing in it comes from the target;
 * why a run stopped has no room in it.
 */
export function renderShields(report: Report): string {
  const { look, label, stated, judged, passed } = badgeWords(report)
  return jsonText({ schemaVersion: 1, label, message: `${stated}, ${passed}/${judged}`, color: COLORS[look] })
}
