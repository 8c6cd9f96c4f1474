//! The analysis against runs: whatever a pointer variable points to while a program runs is among its targets.

mod harness;

use std::cell::RefCell;

use interp::{End, Machine, ObjectKind, Pointee, Setup};
use model::{FunctionId, LocalId, Program, Type};
use pointers::{Analysis, Object, Target, analyse};

/// Runs a program and compares all pointer variables at each step.
#[track_caller]
fn check(text: &str) {
    let program = harness::program(text);
    let analysis = analyse(&program);
    let compared = RefCell::new(0);
    let wrong = RefCell::new(Vec::new());
    let end = {
        let mut machine = Machine::new(&program, Setup::default()).expect("the globals fit");
        machine.observe(Box::new(|machine, position| {
            for (local, value) in machine.variables() {
                if is_pointer(&program, position.function, local)
                    && let Some(pointee) = value.and_then(|value| machine.pointee(value))
                {
                    *compared.borrow_mut() += 1;
                    let targets = analysis.variable(position.function, local);
                    if !targets.iter().any(|target| covers(&analysis, target, pointee)) {
                        wrong.borrow_mut().push(format!("{local:?} of {:?} at {:?}: {pointee:?}", position.function, position.span));
                    }
                }
            }
            true
        }));
        machine.run_main()
    };
    assert_eq!(wrong.borrow().as_slice(), &[] as &[String]);
    assert!(matches!(end, End::Exit(_)), "{end:?}");
    assert!(*compared.borrow() > 0, "no pointer was seen");
}

fn is_pointer(program: &Program, function: FunctionId, local: LocalId) -> bool {
    let body = program.functions[function].body.as_ref().unwrap();
    matches!(program.types.get(body.locals[local].ty), Type::Pointer(_))
}

fn covers(analysis: &Analysis<'_>, target: &Target, pointee: Pointee) -> bool {
    let object = match pointee.kind {
        ObjectKind::Global(id) => Some(Object::Global(id)),
        ObjectKind::Local(function, local) => Some(Object::Local(function, local)),
        ObjectKind::Function(id) => Some(Object::Function(id)),
        _ => None,
    };
    let place = target.offsets.has(pointee.offset);
    match (target.object, pointee.kind) {
        (Object::External, ObjectKind::Environment) => true,
        (Object::External, _) => object.is_some_and(|object| analysis.escapes(object)),
        (Object::Arguments | Object::ArgumentStrings, ObjectKind::Environment) => place,
        (Object::Heap(id), ObjectKind::Heap | ObjectKind::Alloca) => {
            let site = analysis.allocation(id).sites[0];
            let body = analysis.program().functions[site.function].body.as_ref().unwrap();
            place && body.blocks[site.block].commands[site.command].span == pointee.span
        }
        _ => object == Some(target.object) && place,
    }
}

#[test]
fn lists_and_trees() {
    check(
        "void *malloc(unsigned long); void free(void *);
         struct t { int v; struct t *l, *r; };
         static struct t *insert(struct t *t, int v) {
           if (!t) { t = malloc(sizeof *t); t->v = v; t->l = t->r = 0; return t; }
           if (v < t->v) t->l = insert(t->l, v); else t->r = insert(t->r, v);
           return t; }
         static void drop(struct t *t) { if (t) { drop(t->l); drop(t->r); free(t); } }
         int main(void) { struct t *root = 0; for (int i = 0; i < 20; i++) root = insert(root, i * 7 % 13); drop(root); return 0; }",
    );
}

#[test]
fn pointers_in_records_arrays_and_unions() {
    check(
        "struct s { int a[3]; int *p; union { int *q; unsigned long n; } u; } x[4], y;
         int main(void) { for (int i = 0; i < 4; i++) { x[i].p = &x[3 - i].a[i % 3]; x[i].u.n = (unsigned long)x[i].p; }
           y = x[2]; int *p = y.p, *q = y.u.q; struct s *s = &x[1]; int **pp = &s->p; int *r = *pp; *s = y; int *t = x[1].u.q;
           char c[sizeof y]; for (unsigned i = 0; i < sizeof y; i++) c[i] = ((char *)&x[3])[i];
           struct s z; for (unsigned i = 0; i < sizeof y; i++) ((char *)&z)[i] = c[i]; int *v = z.p; *v = *p + *q + *r + *t; return 0; }",
    );
}

#[test]
fn arithmetic() {
    check(
        "int a[10], b[6]; int main(void) { int *p = a, *e = a + 10; while (p != e) p++; int *one = a - 1; one += 4; unsigned long n = (unsigned long)b;
           int *q = (int *)(n + 8); int *r = (int *)((n | 3) & ~3ul); unsigned lo = n, hi = n >> 32;
           int *s = (int *)((unsigned long)hi << 32 | lo); for (int i = 0; i < 40; i++) { p = a + i % 10; q = &b[i % 6]; } *p = *one; return *q * 0 + *r * 0 + *s * 0; }",
    );
}

#[test]
fn functions_and_arguments() {
    check(
        "typedef unsigned long size; void qsort(void *, size, size, int (*)(const void *, const void *)); void *memcpy(void *, const void *, size); char *strchr(const char *, int);
         int t[5] = { 3, 1, 2, 5, 4 }; int *slots[3];
         static int less(const void *a, const void *b) { const int *x = a, *y = b; return *x - *y; }
         static int *first(int *p, int *q) { return p; } static int *second(int *p, int *q) { return q; }
         static int *(*choose[2])(int *, int *) = { first, second };
         static int *pick(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int *p = 0; while (n--) p = __builtin_va_arg(l, int *); __builtin_va_end(l); return p; }
         int main(int argc, char **argv) { int x = 1, y = 2; qsort(t, 5, sizeof *t, less);
           for (int i = 0; i < 4; i++) { int *p = choose[i % 2](&x, &y); slots[i % 3] = p; }
           int *copy[3]; memcpy(copy, slots, sizeof slots); int *c = copy[1]; int *v = pick(3, &x, t, &y); int *w = pick(1, c);
           char text[] = \"a,b\"; char *comma = strchr(text, ','); *comma = 0; char *name = argv[0]; return *v * 0 + *w * 0; }",
    );
}

#[test]
fn wrappers_of_allocators() {
    check(
        "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void abort(void); void free(void *);
         static void *get(unsigned long n) { void *p = malloc(n); if (!p) abort(); return p; }
         static int *number(int v) { int *p = get(sizeof *p); *p = v; return p; }
         static void *kept; static void *keep(unsigned long n) { void *old = kept; kept = get(n); return old ? old : kept; }
         int main(void) { void *(*f)(unsigned long) = get; int *a = number(1), *b = number(2), *c = f(8); int **t = calloc(2, sizeof *t);
           t[0] = a; t[1] = b; t = realloc(t, 4 * sizeof *t); int *d = t[1]; int *e = keep(4), *g = keep(4); *e = *g = *d; free(t); free(c); return 0; }",
    );
}
