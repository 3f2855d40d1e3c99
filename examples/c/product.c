/*
 * A product of matrices, and a layer over a part of it, through tensornio.h:
 *
 *     cc -std=c99 -I include examples/c/product.c -L target/release -l tensornio -o product
 *     LD_LIBRARY_PATH=target/release ./product
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tensornio.h"

/* Ends the program with the library's reason, unless a call went well. */
static void check(tensornio_status status)
{
    if (status != TENSORNIO_OK) {
        fprintf(stderr, "status %" PRId32 ": %s\n", status, tensornio_last_error());
        exit(1);
    }
}

static void print(const char *name, tensornio_tensor tensor)
{
    int64_t shape[2];
    float *elements;
    size_t bytes;
    check(tensornio_tensor_shape(tensor, shape, 2));
    bytes = (size_t)(shape[0] * shape[1]) * sizeof(float);
    elements = malloc(bytes);
    if (elements == NULL) {
        exit(1);
    }
    check(tensornio_tensor_read(tensor, elements, bytes));
    printf("%s\n", name);
    for (int64_t i = 0; i < shape[0]; i++) {
        for (int64_t j = 0; j < shape[1]; j++) {
            printf(" %g", elements[i * shape[1] + j]);
        }
        printf("\n");
    }
    free(elements);
}

int main(void)
{
    float left[] = {1, 2, 3, 4, 5, 6};
    float right[] = {1, 0, 0, 1, 1, 1};
    tensornio_tensor inputs[2], product, transposed, relu;
    tensornio_program multiply, layer;

    /* Tensors over memory of the caller: nothing is copied. */
    check(tensornio_tensor_wrap(TENSORNIO_FLOAT, 2, (int64_t[]){2, 3}, left, sizeof left, &inputs[0]));
    check(tensornio_tensor_wrap(TENSORNIO_FLOAT, 2, (int64_t[]){3, 2}, right, sizeof right, &inputs[1]));

    check(tensornio_program_parse("C[i,j] += A[i,k] * B[k,j]", &multiply));
    check(tensornio_program_run(multiply, inputs, 2, &product, 1));
    print("A B", product);

    /* A view has a shape and strides of its own, and the elements of its tensor. */
    check(tensornio_tensor_view(product, 2, (int64_t[]){2, 2}, (int64_t[]){1, 2}, 0, &transposed));
    print("its transpose", transposed);

    /* What a caller gets wrong ends with a status and a text, never with a crash. */
    inputs[1] = inputs[0];
    if (tensornio_program_run(multiply, inputs, 2, &relu, 1) == TENSORNIO_ILLEGAL_ARGUMENT) {
        printf("A A: %s\n", tensornio_last_error());
    }

    check(tensornio_program_parse("R[i,j] = max(X[i,j] - 6, 0)", &layer));
    check(tensornio_tensor_create(TENSORNIO_FLOAT, 2, (int64_t[]){2, 2}, &relu));
    check(tensornio_program_run_into(layer, &transposed, 1, &relu, 1));
    print("max(x - 6, 0)", relu);

    check(tensornio_tensor_release(inputs[0]));
    check(tensornio_tensor_release(product));
    check(tensornio_tensor_release(transposed));
    check(tensornio_tensor_release(relu));
    check(tensornio_program_release(multiply));
    check(tensornio_program_release(layer));
    if (tensornio_program_release(layer) == TENSORNIO_ILLEGAL_STATE) {
        printf("again: %s\n", tensornio_last_error());
    }
    return 0;
}
