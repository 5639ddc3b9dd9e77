import type { PageTexts } from './page-texts.js';

export const fr: PageTexts<'fr'> = {
  submit: 'Envoyer',
  choose: 'Choisir…',
  required: 'Veuillez remplir ce champ.',
  not_sent: 'Le formulaire n’a pas été envoyé',
  thanks_title: 'Merci',
  back: 'Retour au site',
  closed: 'Ce formulaire est fermé.',

  marked: 'Les champs marqués d’un {mark} sont obligatoires.',
  required_group: '(obligatoire)',

  number_range: 'De {min} à {max}',
  number_min: 'Au moins {min}',
  number_max: 'Au plus {max}',
  length_range: {
    one: 'De {min} à {n} caractère',
    many: 'De {min} à {n} de caractères',
    other: 'De {min} à {n} caractères',
  },
  length_min: {
    one: 'Au moins {n} caractère',
    many: 'Au moins {n} de caractères',
    other: 'Au moins {n} caractères',
  },
  length_max: {
    one: 'Au plus {n} caractère',
    many: 'Au plus {n} de caractères',
    other: 'Au plus {n} caractères',
  },
  file_limit: 'Au plus {size}',
  files_limit: 'Au plus {size} par fichier',

  error_title: 'Erreur : {name}',
  files_again: 'Les fichiers ne sont pas conservés. Veuillez les choisir à nouveau.',

  required_box: 'Veuillez cocher cette case.',
  required_choice: 'Veuillez choisir une option.',
  required_file: 'Veuillez choisir un fichier.',
  email: 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.',
  url: 'Veuillez saisir une adresse web commençant par http:// ou https://.',
  tel: 'Veuillez saisir un numéro de téléphone.',
  number: 'Veuillez saisir un nombre.',
  date: 'Veuillez saisir une date.',
  min: 'Veuillez saisir un nombre supérieur ou égal à {min}.',
  max: 'Veuillez saisir un nombre inférieur ou égal à {max}.',
  too_short: {
    one: 'Veuillez saisir au moins {n} caractère.',
    many: 'Veuillez saisir au moins {n} de caractères.',
    other: 'Veuillez saisir au moins {n} caractères.',
  },
  too_long: {
    one: 'Veuillez saisir au plus {n} caractère.',
    many: 'Veuillez saisir au plus {n} de caractères.',
    other: 'Veuillez saisir au plus {n} caractères.',
  },
  options: 'Veuillez choisir l’une des options.',
  pattern: 'Veuillez saisir la valeur dans le format attendu.',
  one_value: 'Veuillez saisir une seule valeur.',
  one_file: 'Veuillez choisir un seul fichier.',
  too_many_files: {
    one: 'Veuillez choisir au plus {n} fichier dans l’ensemble du formulaire.',
    many: 'Veuillez choisir au plus {n} de fichiers dans l’ensemble du formulaire.',
    other: 'Veuillez choisir au plus {n} fichiers dans l’ensemble du formulaire.',
  },
  file_too_large: 'La taille d’un fichier ne doit pas dépasser {size}.',
  file_empty: 'Le fichier est vide.',
  file_type: 'Ce type de fichier n’est pas accepté. Types acceptés : {types}.',
  file_program: 'Les programmes et les scripts ne sont pas acceptés.',
  characters: 'Le texte contient des caractères qui ne sont pas acceptés.',
  invalid: 'Cette valeur n’est pas valide.',

  owner:
    'Ce formulaire n’est pas configuré correctement. Vous n’y êtes pour rien. Veuillez prévenir le responsable du site.',
  owner_details: 'Pour le responsable du formulaire',

  thanks: 'Votre envoi a bien été reçu.',
  to_form: 'Retour au formulaire',
  continue: 'Continuer',

  not_found_title: 'Ce formulaire n’existe pas',
  not_found: 'Le formulaire a peut-être été supprimé, ou son adresse est incorrecte.',
  rate_limited_title: 'Trop d’envois',
  rate_limited:
    'Trop d’envois proviennent de votre réseau. Veuillez patienter une minute, puis revenir en arrière et renvoyer le formulaire.',
  payload_too_large_title: 'Le formulaire est trop volumineux',
  payload_too_large:
    'Veuillez revenir en arrière, raccourcir les textes ou choisir des fichiers plus petits, puis renvoyer le formulaire.',
  unavailable_title: 'Le service n’est pas disponible',
  unavailable:
    'Rien n’a été enregistré. Veuillez patienter un instant, puis revenir en arrière et renvoyer le formulaire.',
  request_timeout_title: 'L’envoi a pris trop de temps',
  request_timeout:
    'Rien n’a été enregistré. Veuillez revenir en arrière et renvoyer le formulaire, si possible avec une connexion plus rapide.',
  limit_reached_title: 'Ce formulaire n’accepte plus d’envois',
  limit_reached: 'Rien n’a été enregistré. Veuillez contacter le responsable du site par un autre moyen.',
  forbidden_title: 'Ce formulaire ne peut pas être envoyé depuis cette page',
  forbidden: 'Rien n’a été enregistré. Veuillez prévenir le responsable du site.',
  failed_title: 'Le formulaire n’a pas pu être envoyé',
  failed:
    'Rien n’a été enregistré. Veuillez revenir en arrière et réessayer. Si le problème persiste, veuillez prévenir le responsable du site.',

  trap: 'Laissez ce champ vide',
  checking: 'Vérification de votre navigateur…',
  checked: 'Votre navigateur a été vérifié.',
  check_waits: 'Votre navigateur est en cours de vérification. Le formulaire sera envoyé ensuite.',
  check_failed:
    'Le formulaire n’a pas été envoyé, car votre navigateur n’a pas pu être vérifié. Veuillez patienter un instant, puis le renvoyer.',
  no_script:
    'Ce formulaire demande une preuve de travail, qu’un script de cette page calcule. Sans elle, votre message risque d’être traité comme du spam.',
};
