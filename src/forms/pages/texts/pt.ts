import type { PageTexts } from './page-texts.js';

export const pt: PageTexts<'pt'> = {
  submit: 'Enviar',
  choose: 'Escolher…',
  required: 'Preencha este campo.',
  not_sent: 'O formulário não foi enviado',
  thanks_title: 'Obrigado',
  back: 'Voltar ao site',
  closed: 'Este formulário está encerrado.',

  marked: 'Os campos marcados com {mark} são obrigatórios.',
  required_group: '(obrigatório)',

  number_range: 'De {min} a {max}',
  number_min: 'No mínimo, {min}',
  number_max: 'No máximo, {max}',
  length_range: {
    one: 'De {min} a {n} carácter',
    many: 'De {min} a {n} de caracteres',
    other: 'De {min} a {n} caracteres',
  },
  length_min: {
    one: 'No mínimo, {n} carácter',
    many: 'No mínimo, {n} de caracteres',
    other: 'No mínimo, {n} caracteres',
  },
  length_max: {
    one: 'No máximo, {n} carácter',
    many: 'No máximo, {n} de caracteres',
    other: 'No máximo, {n} caracteres',
  },
  file_limit: 'No máximo, {size}',
  files_limit: 'No máximo, {size} por ficheiro',

  error_title: 'Erro: {name}',
  files_again: 'Os ficheiros não são guardados. Escolha-os novamente.',

  required_box: 'Assinale esta caixa.',
  required_choice: 'Escolha uma opção.',
  required_file: 'Escolha um ficheiro.',
  email: 'Introduza um endereço de e-mail, por exemplo nome@example.com.',
  url: 'Introduza um endereço web que comece por http:// ou https://.',
  tel: 'Introduza um número de telefone.',
  number: 'Introduza um número.',
  date: 'Introduza uma data.',
  min: 'Introduza um número maior ou igual a {min}.',
  max: 'Introduza um número menor ou igual a {max}.',
  too_short: {
    one: 'Introduza pelo menos {n} carácter.',
    many: 'Introduza pelo menos {n} de caracteres.',
    other: 'Introduza pelo menos {n} caracteres.',
  },
  too_long: {
    one: 'Introduza no máximo {n} carácter.',
    many: 'Introduza no máximo {n} de caracteres.',
    other: 'Introduza no máximo {n} caracteres.',
  },
  options: 'Escolha uma das opções.',
  pattern: 'Introduza o valor no formato esperado.',
  one_value: 'Introduza apenas um valor.',
  one_file: 'Escolha apenas um ficheiro.',
  too_many_files: {
    one: 'Escolha no máximo {n} ficheiro em todo o formulário.',
    many: 'Escolha no máximo {n} de ficheiros em todo o formulário.',
    other: 'Escolha no máximo {n} ficheiros em todo o formulário.',
  },
  file_too_large: 'Um ficheiro pode ter no máximo {size}.',
  file_empty: 'O ficheiro está vazio.',
  file_type: 'Este tipo de ficheiro não é aceite. Tipos aceites: {types}.',
  file_program: 'Não são aceites programas nem scripts.',
  characters: 'O texto contém caracteres que não são aceites.',
  invalid: 'Este valor não é válido.',

  owner:
    'Este formulário não está configurado corretamente. O erro não é seu. Por favor, informe o responsável pelo site.',
  owner_details: 'Para o responsável pelo formulário',

  thanks: 'O seu envio foi recebido.',
  to_form: 'Voltar ao formulário',
  continue: 'Continuar',

  not_found_title: 'Este formulário não existe',
  not_found: 'O formulário pode ter sido eliminado ou o endereço pode estar errado.',
  rate_limited_title: 'Demasiados envios',
  rate_limited:
    'Foram recebidos demasiados envios da sua rede. Aguarde um minuto, volte atrás e envie novamente o formulário.',
  payload_too_large_title: 'O formulário é demasiado grande',
  payload_too_large: 'Volte atrás, reduza os textos ou escolha ficheiros mais pequenos e envie novamente o formulário.',
  unavailable_title: 'O serviço não está disponível',
  unavailable: 'Nada foi guardado. Aguarde um momento, volte atrás e envie novamente o formulário.',
  request_timeout_title: 'O envio demorou demasiado tempo',
  request_timeout:
    'Nada foi guardado. Volte atrás e envie novamente o formulário, se possível com uma ligação mais rápida.',
  limit_reached_title: 'Este formulário já não aceita envios',
  limit_reached: 'Nada foi guardado. Por favor, contacte o responsável pelo site de outra forma.',
  forbidden_title: 'Este formulário não pode ser enviado a partir daqui',
  forbidden: 'Nada foi guardado. Por favor, informe o responsável pelo site.',
  failed_title: 'Não foi possível enviar o formulário',
  failed: 'Nada foi guardado. Volte atrás e tente novamente. Se o problema persistir, informe o responsável pelo site.',

  trap: 'Deixe este campo vazio',
  checking: 'A verificar o seu navegador…',
  checked: 'O seu navegador foi verificado.',
  check_waits: 'O seu navegador está a ser verificado. Em seguida, o formulário será enviado.',
  check_failed:
    'O formulário não foi enviado porque não foi possível verificar o seu navegador. Aguarde um momento e envie-o novamente.',
  no_script:
    'Este formulário pede uma prova de trabalho, calculada por um script desta página. Sem ela, a sua mensagem poderá ser tratada como spam.',
};
