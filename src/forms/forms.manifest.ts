import { defineModule } from '../modules/module-manifest.js';

const form = async () => (await import('./forms.dto.js')).FormDetailDto;
const submission = async () => (await import('./submissions/submissions.dto.js')).SubmissionDto;
const deletedSubmission = async () => (await import('./submissions/submissions.dto.js')).DeletedSubmissionDto;

/** Forms and their submissions. */
export const forms = defineModule({
  name: 'forms',
  area: 'forms',
  ids: { frm: 'form', sub: 'submission', era: 'erasure', fil: 'file' },
  events: {
    'form.created': { description: 'A form was created.', data: form },
    'form.updated': { description: 'A form was changed.', data: form },
    'form.deleted': { description: 'A form was deleted with its submissions.', data: form },
    'form.submitted': {
      description: 'A visitor submitted a form. The data is the submission.',
      data: submission,
      isErasable: true,
    },
    'submission.deleted': { description: 'A submission was deleted.', data: deletedSubmission },
  },
  tags: [
    { name: 'Forms', guide: 'reference/forms', description: 'A form defines the fields that visitors can submit.' },
    {
      name: 'Submissions',
      guide: 'reference/submissions',
      description: 'A submission contains the values that a visitor submitted to a form.',
    },
    {
      name: 'Erasures',
      guide: 'reference/submissions',
      description: 'An erasure deletes all submissions with an address.',
    },
  ],
  tables: () => import('./forms.tables.js'),
  module: async () => (await import('./forms.module.js')).FormsModule,
});

declare module '../modules/module-manifest.js' {
  interface DeclaredModules {
    forms: typeof forms;
  }
}
