import { testBasicPlan } from './basic-plan.ts'
import { test } from './provider.ts'

test.describe('official plan oidcc-formpost-basic-certification-test-plan', () =>
  testBasicPlan({ response_mode: 'form_post' }))
