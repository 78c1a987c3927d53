/** Sections about a proposed plan, the feedback on it, and the text of a backlog. */
import { newestAnswer } from '../../views/facts/ledger.ts'
import { planWording } from '../escalation.ts'
import { bullets, planText, verdictText } from '../material.ts'
import type { MakeSection } from './section-input.ts'

export const planFeedback: MakeSection = ({ state: { plan, config } }) => {
  if (plan.feedback === null) return null
  const lead = planWording(plan.score, config.thresholds)
  return { title: "The reviewer's feedback", lead, body: plan.feedback, priority: 100, mandatory: true }
}

/** The same feedback, for the reviewer who gave it. */
export const earlierPlanFeedback: MakeSection = (input) => {
  const said = planFeedback(input)
  return said && { ...said, title: 'What you asked for last time', lead: 'See whether the plan deals with it now.' }
}

const proposed =
  (title: string): MakeSection =>
  ({ state }) => {
    const answer = newestAnswer(state, 'plan', 'planner')
    return answer === undefined ? null : { title, body: planText(answer), priority: 100, mandatory: true }
  }

export const ownPlan = proposed('Your last plan')
export const planToReview = proposed('The plan to review')

export const goalFeedback: MakeSection = ({ state: { gate } }) => {
  if (gate.verdict === null || gate.verdict.approved) return null
  const lead = 'The supervisor looked at the whole and did not find the goal met. Act on what concerns your task.'
  return {
    title: "The reviewer's feedback on the goal",
    lead,
    body: verdictText(gate.verdict),
    priority: 100,
    mandatory: true,
  }
}

export const backlogProblems: MakeSection = ({ state: { backlog } }) =>
  backlog === null || backlog.problems.length === 0
    ? null
    : { title: 'What is wrong with the backlog', body: bullets(backlog.problems), priority: 100, mandatory: true }

export const backlogText: MakeSection = ({ state: { backlog } }) =>
  backlog?.text === undefined
    ? null
    : { title: 'The backlog as it is', body: backlog.text, priority: 99, minTokens: 2_000 }
