/** Projects of Maven and Gradle, with the project's wrapper where it has one. */
import { check, type Ecosystem } from './project.ts'

export const maven: Ecosystem = {
  isManifest: (name) => name === 'pom.xml',
  discover: async ({ files }) => ({
    checks: [check('maven test', `${files.has('mvnw') ? './mvnw' : 'mvn'} --batch-mode test`)],
  }),
}

const gradleFiles = new Set(['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'])

export const gradle: Ecosystem = {
  isManifest: (name) => gradleFiles.has(name),
  discover: async ({ files }) => ({
    checks: [check('gradle test', `${files.has('gradlew') ? './gradlew' : 'gradle'} test`)],
  }),
}
