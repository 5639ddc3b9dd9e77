import type { PageTexts } from './page-texts.js';

export const es: PageTexts<'es'> = {
  submit: 'Enviar',
  choose: 'Elija…',
  required: 'Rellene este campo.',
  not_sent: 'El formulario no se ha enviado',
  thanks_title: 'Gracias',
  back: 'Volver al sitio web',
  closed: 'Este formulario está cerrado.',

  marked: 'Los campos marcados con {mark} son obligatorios.',
  required_group: '(obligatorio)',

  number_range: 'De {min} a {max}',
  number_min: 'Como mínimo, {min}',
  number_max: 'Como máximo, {max}',
  length_range: {
    one: 'De {min} a {n} carácter',
    many: 'De {min} a {n} de caracteres',
    other: 'De {min} a {n} caracteres',
  },
  length_min: {
    one: 'Como mínimo, {n} carácter',
    many: 'Como mínimo, {n} de caracteres',
    other: 'Como mínimo, {n} caracteres',
  },
  length_max: {
    one: 'Como máximo, {n} carácter',
    many: 'Como máximo, {n} de caracteres',
    other: 'Como máximo, {n} caracteres',
  },
  file_limit: 'Como máximo, {size}',
  files_limit: 'Como máximo, {size} por archivo',

  error_title: 'Error: {name}',
  files_again: 'Los archivos no se conservan. Elíjalos de nuevo.',

  required_box: 'Marque esta casilla.',
  required_choice: 'Elija una opción.',
  required_file: 'Elija un archivo.',
  email: 'Introduzca una dirección de correo electrónico, por ejemplo nombre@example.com.',
  url: 'Introduzca una dirección web que empiece por http:// o https://.',
  tel: 'Introduzca un número de teléfono.',
  number: 'Introduzca un número.',
  date: 'Introduzca una fecha.',
  min: 'Introduzca un número mayor o igual que {min}.',
  max: 'Introduzca un número menor o igual que {max}.',
  too_short: {
    one: 'Introduzca al menos {n} carácter.',
    many: 'Introduzca al menos {n} de caracteres.',
    other: 'Introduzca al menos {n} caracteres.',
  },
  too_long: {
    one: 'Introduzca como máximo {n} carácter.',
    many: 'Introduzca como máximo {n} de caracteres.',
    other: 'Introduzca como máximo {n} caracteres.',
  },
  options: 'Elija una de las opciones.',
  pattern: 'Introduzca el valor en el formato esperado.',
  one_value: 'Introduzca un solo valor.',
  one_file: 'Elija un solo archivo.',
  too_many_files: {
    one: 'Elija como máximo {n} archivo en todo el formulario.',
    many: 'Elija como máximo {n} de archivos en todo el formulario.',
    other: 'Elija como máximo {n} archivos en todo el formulario.',
  },
  file_too_large: 'Un archivo puede tener como máximo {size}.',
  file_empty: 'El archivo está vacío.',
  file_type: 'Este tipo de archivo no se acepta. Tipos aceptados: {types}.',
  file_program: 'No se aceptan programas ni scripts.',
  characters: 'El texto contiene caracteres que no se aceptan.',
  invalid: 'Este valor no es válido.',

  owner:
    'Este formulario no está configurado correctamente. No es un error suyo. Avise, por favor, al responsable del sitio web.',
  owner_details: 'Para el responsable del formulario',

  thanks: 'Hemos recibido su envío.',
  to_form: 'Volver al formulario',
  continue: 'Continuar',

  not_found_title: 'Este formulario no existe',
  not_found: 'Es posible que el formulario se haya eliminado o que su dirección sea incorrecta.',
  rate_limited_title: 'Demasiados envíos',
  rate_limited:
    'Se han recibido demasiados envíos desde su red. Espere un minuto, vuelva atrás y envíe el formulario de nuevo.',
  payload_too_large_title: 'El formulario es demasiado grande',
  payload_too_large: 'Vuelva atrás, acorte los textos o elija archivos más pequeños y envíe el formulario de nuevo.',
  unavailable_title: 'El servicio no está disponible',
  unavailable: 'No se ha guardado nada. Espere un momento, vuelva atrás y envíe el formulario de nuevo.',
  request_timeout_title: 'El envío ha tardado demasiado',
  request_timeout:
    'No se ha guardado nada. Vuelva atrás y envíe el formulario de nuevo, si es posible con una conexión más rápida.',
  limit_reached_title: 'Este formulario ya no acepta envíos',
  limit_reached: 'No se ha guardado nada. Póngase en contacto con el responsable del sitio web por otra vía.',
  forbidden_title: 'Este formulario no se puede enviar desde aquí',
  forbidden: 'No se ha guardado nada. Avise, por favor, al responsable del sitio web.',
  failed_title: 'No se ha podido enviar el formulario',
  failed:
    'No se ha guardado nada. Vuelva atrás e inténtelo de nuevo. Si el problema continúa, avise al responsable del sitio web.',

  trap: 'Deje este campo vacío',
  checking: 'Comprobando su navegador…',
  checked: 'Su navegador se ha comprobado.',
  check_waits: 'Se está comprobando su navegador. Después se enviará el formulario.',
  check_failed:
    'El formulario no se ha enviado porque no se ha podido comprobar su navegador. Espere un momento y envíelo de nuevo.',
  no_script:
    'Este formulario pide una prueba de trabajo que calcula un script de esta página. Sin ella, es posible que su mensaje se trate como spam.',
};
